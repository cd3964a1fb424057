// The yardstick of `make bench`: a plain, single-threaded C++ engine for greedy against greedy on the black sheet (value of
// a move: points now + 2 per star - 1 per joker + 0.1 per cell; the first best in scan order wins). It looks at every cross
// of every color and number in every decision and keeps nothing. Source: the founders of kok-sim, written to find out how
// fast such a game can be played; unchanged.  yardstick GAMES PLAYERS
// perf-limit prototype: KoK1, n players, linear-feature strategies
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <string>
#include <chrono>
#include <algorithm>
using namespace std; typedef unsigned __int128 u128; typedef uint64_t u64;
static const char* BOARD[7]={"gggyyyyGbbbOyyy","ogYgYyoorBboogg","BgrgggGrrryyogg","brrgoObbggyyoRb","roooorbbooorrrr","rBbRrrryYoRbbbO","yybbbbryyyggGoo"};
static const int CF[15]={5,3,3,3,2,2,2,1,2,2,2,3,3,3,5},CS[15]={3,2,2,2,1,1,1,0,1,1,1,2,2,2,3};
struct P{u128 m; u64 cols; uint8_t n,stars,color; u64 pad;};
static vector<P> pl[5][6]; static u128 H, ALLC[5]; static int ci(char c){switch(c|32){case'g':return 0;case'y':return 1;case'b':return 2;case'r':return 3;default:return 4;}}
static inline u128 bit(int r,int c){return (u128)1<<(c*7+r);}
static u128 TOP,BOT;
static inline u128 nbrs(u128 x){return ((x<<1)&~TOP)|((x>>1)&~BOT)|(x<<7)|(x>>7);}
static u128 FULL;
static inline u64 rotl(u64 x,int k){return(x<<k)|(x>>(64-k));}
struct Rng{u64 s[4]; u64 next(){u64 r=rotl(s[1]*5,7)*9,t=s[1]<<17;s[2]^=s[0];s[3]^=s[1];s[1]^=s[2];s[0]^=s[3];s[2]^=t;s[3]=rotl(s[3],45);return r;}
 void seed(u64 z){for(int i=0;i<4;i++){z+=0x9e3779b97f4a7c15ULL;u64 x=z;x=(x^(x>>30))*0xbf58476d1ce4e5b9ULL;x=(x^(x>>27))*0x94d049bb133111ebULL;s[i]=x^(x>>31);}}};
struct W{double col,color,star,joker,cell,adv,colprog,passv; };
struct Pl{u128 crossed,front; u64 colrem; int8_t colorem[5]; int jokers; int cols,colors; int stars; int bonus,colp;};
static void init(){ TOP=0;BOT=0;FULL=0;for(int c=0;c<15;c++){TOP|=bit(0,c);BOT|=bit(6,c);}for(int r=0;r<7;r++)for(int c=0;c<15;c++){FULL|=bit(r,c);ALLC[ci(BOARD[r][c])]|=bit(r,c);} H=0;for(int r=0;r<7;r++)H|=bit(r,7);
 bool seen[7][15]={};
 for(int r=0;r<7;r++)for(int c=0;c<15;c++)if(!seen[r][c]){int k=ci(BOARD[r][c]);u128 b=bit(r,c),o=0;while(b!=o){o=b;b|=nbrs(b)&FULL&ALLC[k];}
  vector<int>cs;for(int i=0;i<105;i++)if((b>>i)&1){cs.push_back(i);seen[i%7][i/7]=1;}
  int n=cs.size();for(int s=1;s<(1<<n);s++){int k2=__builtin_popcount(s);if(k2>5)continue;u128 m=0;for(int i=0;i<n;i++)if(s>>i&1)m|=(u128)1<<cs[i];u128 x=m&-m,y=0;while(x!=y){y=x;x|=nbrs(x)&m;}if(x!=m)continue;P p;memset(&p,0,sizeof p);p.m=m;p.n=k2;p.color=k;for(int i=0;i<n;i++)if(s>>i&1){int q=cs[i];p.cols+=1ULL<<(4*(q/7));if(BOARD[q%7][q/7]<'a')p.stars++;}pl[k][k2].push_back(p);}}
}
static inline u64 zeronib(u64 x){ // nibbles (15) that are zero -> bit at low of nibble
 u64 t=x|(x>>1);t|=t>>2;return ~t&0x0111111111111111ULL;}
struct G{Pl p[6];u64 claimedCols;int claimedColors;};
struct Best{double v;const P*p;int cost;};
static inline void consider(const Pl&me,const G&g,const W&w,int color,int num,int cost,Best&b){
 double base=-w.joker*cost; int crem=me.colorem[color]; if(crem<num)return;
 double cv=0; if(crem==num) cv=w.color*((g.claimedColors>>color&1)?3:5);
 for(const P&p:pl[color][num]){ if((p.m&me.crossed)!=0||(p.m&me.front)==0)continue;
  u64 nr=me.colrem-p.cols; u64 done=zeronib(nr)&~zeronib(me.colrem);
  double v=base+cv+w.star*2*p.stars+w.cell*num; 
  while(done){int k=__builtin_ctzll(done)/4;done&=done-1;v+=w.col*((g.claimedCols>>(4*k)&1)?CS[k]:CF[k]);}
  if(v>b.v){b.v=v;b.p=&p;b.cost=cost;}
 }}
static long decisions=0;
static void choose(const Pl&me,const G&g,const W&w,const int*cd,int nc,const int*nd,int nn,Best&b,int&bc,int&bn){
 decisions++; b.v=w.passv;b.p=nullptr;b.cost=0;bc=bn=-1; 
 // dedupe colours & numbers
 int cm=0,nm=0;for(int i=0;i<nc;i++)cm|=1<<cd[i];for(int i=0;i<nn;i++)nm|=1<<nd[i];
 for(int c=0;c<5;c++){int cc; if(cm>>c&1)cc=0;else if(cm>>5&1)cc=1;else continue;
  for(int n=1;n<=5;n++){int nc2; if(nm>>(n-1)&1)nc2=0;else if(nm>>5&1)nc2=1;else continue; int cost=cc+nc2;if(cost>me.jokers)continue; const P*o=b.p;double ov=b.v;consider(me,g,w,c,n,cost,b);if(b.p!=o||b.v!=ov){bc=cc?5:c;bn=nc2?5:n-1;}}}
}
static inline void apply(Pl&me,const P*p,int cost){me.crossed|=p->m;me.front=(nbrs(me.crossed)|H)&FULL&~me.crossed;me.colrem-=p->cols;me.colorem[p->color]-=p->n;me.jokers-=cost;me.stars+=p->stars;}
int main(int a,char**v){init();long N=a>1?atol(v[1]):100000;int np=a>2?atoi(v[2]):2;
 W w[6];for(int i=0;i<6;i++)w[i]={1,1,1,1,0.1,0,0,0};
 if(a>3)w[1].cell=atof(v[3]);if(a>4)w[1].joker=atof(v[4]);
 double sum[6]={},wins[6]={};double turns=0;auto t0=chrono::steady_clock::now();
 for(long it=0;it<N;it++){Rng R;R.seed(it);G g;memset(&g,0,sizeof g);u64 full=0;for(int c=0;c<15;c++)full|=7ULL<<(4*c);
  for(int i=0;i<np;i++){Pl&q=g.p[i];q.front=H;q.colrem=full;for(int c=0;c<5;c++)q.colorem[c]=21;q.jokers=8;}
  int turn=0,act=0;bool end=false;
  while(!end&&turn<500){u64 r=R.next();int cd[3],nd[3];for(int i=0;i<3;i++){cd[i]=(r&0xffff)*6>>16;r>>=16;if(i==1){} } r=R.next();for(int i=0;i<3;i++){nd[i]=(r&0xffff)*6>>16;r>>=16;}
   Best b[6];int bc,bn;choose(g.p[act],g,w[act],cd,3,nd,3,b[act],bc,bn);
   int c2[3],n2[3],k1=0,k2=0;if(b[act].p&&turn>=3){bool s=false;for(int i=0;i<3;i++){if(!s&&cd[i]==bc){s=true;continue;}c2[k1++]=cd[i];}s=false;for(int i=0;i<3;i++){if(!s&&nd[i]==bn){s=true;continue;}n2[k2++]=nd[i];}}else{for(int i=0;i<3;i++){c2[i]=cd[i];n2[i]=nd[i];}k1=k2=3;}
   for(int i=0;i<np;i++)if(i!=act){int x,y;choose(g.p[i],g,w[i],c2,k1,n2,k2,b[i],x,y);}
   u64 newc=0;int newcol=0;
   for(int i=0;i<np;i++)if(b[i].p){Pl&q=g.p[i];u64 before=zeronib(q.colrem);apply(q,b[i].p,b[i].cost);u64 done=zeronib(q.colrem)&~before;newc|=done;u64 d=done;while(d){int k=__builtin_ctzll(d)/4;d&=d-1;q.colp+=(g.claimedCols>>(4*k)&1)?CS[k]:CF[k];}
     int c=b[i].p->color;if(q.colorem[c]==0){q.bonus+=(g.claimedColors>>c&1)?3:5;newcol|=1<<c;q.colors++;if(q.colors>=2)end=true;}}
   g.claimedCols|=newc;g.claimedColors|=newcol;turn++;act=(act+1)%np;}
  turns+=turn;int best=-999,sc[6];for(int i=0;i<np;i++){Pl&q=g.p[i];sc[i]=q.bonus+q.colp+q.jokers-2*(15-q.stars);sum[i]+=sc[i];int key=sc[i]*16+q.jokers;best=max(best,key);}
  int nb=0;for(int i=0;i<np;i++)if(sc[i]*16+g.p[i].jokers==best)nb++;for(int i=0;i<np;i++)if(sc[i]*16+g.p[i].jokers==best)wins[i]+=1.0/nb;
 }
 double dt=chrono::duration<double>(chrono::steady_clock::now()-t0).count();
 printf("%.0f games/s, %.1f turns/game, %.0f ns/decision\n",N/dt,turns/N,dt/decisions*1e9);for(int i=0;i<np;i++)printf("p%d mean %.3f win %.4f\n",i,sum[i]/N,wins[i]/N);
}
